/** A Markdown file as far as its links are concerned. */
export interface Markdown {
  /** Anchors of its headings, as GitHub makes them. */
  anchors: ReadonlySet<string>
  /** Numbers of its numbered headings, such as `2` and `2.1`. */
  sections: ReadonlySet<string>
  /** Targets of links and images. */
  links: readonly string[]
  /** Words in code spans and code blocks that look like paths of this repository. */
  paths: readonly string[]
}

const FENCE = /^```[\s\S]*?^```/gm
const CODE_SPAN = /`([^`\n]+)`/g
const LINK = /\]\(([^)\s]+)(?: "[^"]*")?\)/g
const HEADING = /^#{1,6} (.+)$/gm
const PATH = /^(?:gateway|services|packages|web|infra|k8s|bench|e2e|docs)\/[\w.@/-]*\w$/

/** Reads the anchors, links and paths of a Markdown text. */
export function readMarkdown(text: string): Markdown {
  const prose = text.replaceAll(FENCE, '')
  const headings = [...prose.matchAll(HEADING)].map(([, heading = '']) => heading)
  const code = [...[...prose.matchAll(CODE_SPAN)].map(([, span = '']) => span), ...(text.match(FENCE) ?? [])]
  return {
    anchors: new Set(anchorsOf(headings)),
    sections: new Set(headings.flatMap((heading) => /^(\d+(?:\.\d+)*)\.? /.exec(heading)?.[1] ?? [])),
    links: [...prose.replaceAll(CODE_SPAN, '').matchAll(LINK)].map(([, target = '']) => target),
    paths: code.flatMap((piece) => piece.split(/[\s'"“”,;:()]+/)).filter((word) => PATH.test(word)),
  }
}

/** A repeated heading gets `-1`, `-2`, … */
function anchorsOf(headings: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return headings.map((heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}
