/**
 * The text with the block of this name filled anew. A block stands between `<!-- measured: NAME -->` and
 * `<!-- end: NAME -->`, each on a line of its own; what is outside of blocks is written by people and stays.
 * Throws when the text has no such block.
 */
export function fillBlock(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- measured: ${name} -->\n`, `<!-- end: ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end, from)
  if (from === -1 || to === -1) throw new Error(`The document has no block "${name}".`)
  return `${text.slice(0, from + start.length)}${content.trim()}\n${text.slice(to)}`
}
