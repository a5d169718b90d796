"""Small learning methods for a CPU, compared on equal terms."""
