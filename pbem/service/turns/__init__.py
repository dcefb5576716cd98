"""From a move to the next question: progress, standing orders, planning, caretaker, the audit log."""
