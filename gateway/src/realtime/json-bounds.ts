/** How much a JSON text may hold. */
export interface JsonBounds {
  /** Arrays and objects inside each other. */
  levels: number
  /** Values: members of arrays and objects, and the arrays and objects themselves. */
  values: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const ARRAY_START = 0x5b
const ARRAY_END = 0x5d
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d

/**
 * Whether a text is within bounds, found without parsing it: `JSON.parse` of a megabyte of nested arrays takes 50 times
 * as long as of a megabyte of text, and recurses. One pass, no memory. The answer holds for valid JSON; of other text
 * `JSON.parse` reads no more than what was counted here.
 */
export function isWithinJsonBounds(text: string, { levels, values }: JsonBounds): boolean {
  let depth = 0
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at + 1)
    } else if (code === ARRAY_START || code === OBJECT_START) {
      depth += 1
      seen += 1
      if (depth > levels) return false
    } else if (code === ARRAY_END || code === OBJECT_END) depth -= 1
    else if (code === COMMA) seen += 1
    if (seen > values) return false
  }
  return true
}

/** Index of the quotation mark that ends the string whose first character is at `from`. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
