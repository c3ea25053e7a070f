"""What an agent may call, and the registry."""
