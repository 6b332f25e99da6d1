/** A document that a comment or text names, with the section or the title it names. */
export interface Citation {
  document: string
  /** As in `§2.1`. */
  sections: readonly string[]
  /** As in `docs/operations.md, "Secrets"`. */
  title: string | undefined
}

const LINE_BREAK = /\s*\n\s*(?:\/\/|\*|#|--)?[ \t]*/g
const DOCUMENT = String.raw`(?<![\w/.-])((?:docs/[\w/-]+|bench/README|README|ARCHITECTURE|CONTRIBUTING|STYLE_GUIDE)\.md)`
const SECTION = String.raw`§\d+(?:\.\d+)*`
const CITATION = new RegExp(
  `${DOCUMENT}((?:(?:,? |, and | and )${SECTION})*)(?:,? [“"]([^”"\\n]{1,60})[”"])?`,
  'g',
)

/** The documents that a source text cites, also across the lines of a comment. */
export function readCitations(text: string): Citation[] {
  return [...text.replaceAll(LINE_BREAK, ' ').matchAll(CITATION)].map(
    ([, document = '', sections = '', title]) => ({
      document,
      sections: [...sections.matchAll(/\d+(?:\.\d+)*/g)].map(([number]) => number),
      title,
    }),
  )
}
