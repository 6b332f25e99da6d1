const words = new Intl.Segmenter('und', { granularity: 'word' })
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Breaks a text into at most `maxLines` that fit. If there is more, the last ends with an ellipsis. */
export function breakLines(text: string, maxLines: number, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  const parts = partsOf(text.trim()).flatMap((part) => (fits(part.trimEnd()) ? [part] : graphemesOf(part)))
  for (const part of parts) {
    if (line === '' || fits((line + part).trimEnd())) {
      line += part
    } else if (lines.length + 1 < maxLines) {
      lines.push(line.trimEnd())
      line = part
    } else {
      return [...lines, shorten(line, fits)]
    }
  }
  return line === '' ? lines : [...lines, line.trimEnd()]
}

/** The text as far as it fits with an ellipsis. */
function shorten(line: string, fits: (line: string) => boolean): string {
  const left = graphemesOf(line)
  const shortened = (): string => `${left.join('').trimEnd()}…`
  while (left.length > 1 && !fits(shortened())) left.pop()
  return shortened()
}

const graphemesOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment)

/** The parts between which a line may end: after spaces, and between the words of scripts that write none. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let wasWord = false
  for (const { segment, isWordLike = false } of words.segment(text)) {
    const isNext = (/\s$/.test(part) && !/^\s/.test(segment)) || (wasWord && isWordLike)
    if (isNext) parts.push(part)
    part = isNext ? segment : part + segment
    wasWord = isWordLike
  }
  return part === '' ? parts : [...parts, part]
}
