/** The address of each file in the package's `modules`, by name; `build.js` writes this list. */
export const files: Record<string, URL>
/** The SHA-256 of the manifest, which contains the hashes of all other files. */
export const manifest: string
