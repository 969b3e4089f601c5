"""Accounts: sign-in, passkeys, devices, and the export of what is stored of a person."""
