/** Return the bytes at an address. */
export function read(url: URL): Promise<Uint8Array<ArrayBuffer>>
