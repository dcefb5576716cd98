"""Starting the parts of pbem as processes of this machine and ending them cleanly."""

from pbem.runtime.processes import Ended, Processes, Stopped, free_port, stoppable
from pbem.runtime.server import Server, url

__all__ = ["Ended", "Processes", "Server", "Stopped", "free_port", "stoppable", "url"]
