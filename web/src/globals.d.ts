declare module 'rules:*' {
  /** The address of a rules page's text, as HTML. */
  const address: string
  export default address
}
