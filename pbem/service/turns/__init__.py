"""From a move to the next question: progress, orders given ahead, planning, caretaker, votes as rows, the audit log."""
