import type { ReactNode } from 'react'

/** Words in scripts that are written from right to left (Unicode's blocks for them). */
const WORDS =
  /([\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+(?: [\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+)*)/u

/**
 * A sentence that may contain names, such as the title of a dialog or a toast. Words that are written from right to left are
 * isolated (UAX #9 §2.4), so that they do not reorder numbers and punctuation beside them.
 */
export function isolatedNames(sentence: string): ReactNode {
  const parts = sentence.split(WORDS)
  if (parts.length === 1) return sentence
  // Every second part is what the pattern found.
  return parts.map((part, index) => {
    const key = `${index} ${part}`
    return index % 2 === 1 ? <bdi key={key}>{part}</bdi> : part
  })
}
