"""What people are called, and how they stand with each other and with the server: names, relationships, sanctions."""
