import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'
import { classesOf, withoutClasses } from './css-rules.ts'

/** The app and the pages that most visits begin with. */
const FIRST = [
  'src/app/app-header.tsx',
  'src/app/pages/home-page.tsx',
  'src/app/pages/videos-page.tsx',
  'src/features/sign-in/sign-in-page.tsx',
]
const UTILITIES = '@layer utilities{'
/** What separates class names in a script. */
const SEPARATOR = /[\s"'`${}]+/
const IDENTIFIER = /[\w-]+/g

/** The name of the stylesheet of all pages begins with `all`. */
export const assetFileNames = ({ names }: Pick<Rolldown.PreRenderedAsset, 'names'>): string =>
  `assets/${names.includes('index.css') ? 'all' : '[name]'}-[hash][extname]`

/**
 * Half of the styles are of pages that a visit does not begin with. The page links to a stylesheet without these. Chunks
 * that need the others load the stylesheet of all pages, as Vite loads styles with a chunk: the chunk waits for them. That
 * stylesheet contains the first one, so that the order of all rules is the same as in a single file.
 */
export function firstStyles(): Plugin {
  let hash = ''
  return {
    name: 'first-styles',
    apply: 'build',
    transform: {
      filter: { id: /\/src\/styles\/app\.css$/ },
      handler: (code) => {
        hash = createHash('sha256').update(code).digest('hex')
      },
    },
    // Chunks contain the name of the stylesheet.
    augmentChunkHash: () => hash,
    generateBundle: function (_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const entry = chunks.find(({ isEntry }) => isEntry)
      const [all = ''] = entry?.viteMetadata?.importedCss ?? []
      const styles = bundle[all]
      if (styles?.type !== 'asset') throw new Error('The app has no stylesheet')
      const isFirst = ({ facadeModuleId }: Rolldown.OutputChunk) =>
        FIRST.some((file) => facadeModuleId?.endsWith(`/${file}`))
      const first = importsOf(
        [...chunks.filter(isFirst), entry].flatMap((chunk) => chunk?.fileName ?? []),
        bundle,
      )

      const css = String(styles.source)
      const words = new Set(chunks.filter(({ fileName }) => first.has(fileName)).flatMap(wordsOf))
      const others = new Set(utilitiesOf(css).filter((name) => !words.has(name)))
      if (others.size === 0) throw new Error('No styles were found that the first views do not need')
      const reference = this.emitFile({
        type: 'asset',
        name: 'first.css',
        source: withoutClasses(css, others),
      })
      entry?.viteMetadata?.importedCss.delete(all)
      entry?.viteMetadata?.importedCss.add(this.getFileName(reference))
      for (const chunk of chunks) {
        const needsAll = !first.has(chunk.fileName) && wordsOf(chunk).some((word) => others.has(word))
        if (needsAll) chunk.viteMetadata?.importedCss.add(all)
      }
    },
  }
}

/** The files of chunks and of all that they import statically. */
function importsOf(
  files: readonly string[],
  bundle: Rolldown.OutputBundle,
  found = new Set<string>(),
): Set<string> {
  for (const file of files.filter((each) => !found.has(each))) {
    found.add(file)
    const chunk = bundle[file]
    if (chunk?.type === 'chunk') importsOf(chunk.imports, bundle, found)
  }
  return found
}

/** Also keys of objects: too many words keep a rule too many, one too few would lose one. */
const wordsOf = ({ code }: Rolldown.OutputChunk): string[] => [
  ...code.split(SEPARATOR),
  ...(code.match(IDENTIFIER) ?? []),
]

/** The classes of Tailwind that are whole words in a script. */
const utilitiesOf = (css: string): string[] =>
  classesOf(css.slice(css.indexOf(UTILITIES))).filter((name) => !SEPARATOR.test(name))
