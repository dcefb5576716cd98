"""From a move to the next question: progress, standing orders, planning, caretaker, votes as rows, the audit log."""
