"""One whole game the way people would play it: robots read their emails, follow their links, answer the forms.

Everything else is real: the web server, the worker, the clock and the mail server that receives the letters.
"""
