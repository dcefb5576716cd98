"""Starting the parts of pbem as processes of this machine and ending them cleanly."""

from pbem.runtime.processes import Ended, Processes, free_port
from pbem.runtime.server import Server, url
from pbem.runtime.signals import Stopped, stoppable

__all__ = ["Ended", "Processes", "Server", "Stopped", "free_port", "stoppable", "url"]
