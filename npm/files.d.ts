/** Where each file of the package's `modules` lies, by its name; `build.js` writes this list. */
export const files: Record<string, URL>
/** The SHA-256 of its manifest, which has those of all other files. */
export const manifest: string
