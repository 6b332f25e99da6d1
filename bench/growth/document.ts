/**
 * The text with the content of one block replaced. A block is between `<!-- measured: NAME -->` and `<!-- end: NAME
 * -->`, each on its own line; text outside of blocks is kept. Throws when there is no such block.
 */
export function fillBlock(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- measured: ${name} -->\n`, `<!-- end: ${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end, from)
  if (from === -1 || to === -1) throw new Error(`The document has no block "${name}".`)
  return `${text.slice(0, from + start.length)}${content.trim()}\n${text.slice(to)}`
}
