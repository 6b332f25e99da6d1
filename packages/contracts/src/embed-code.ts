interface EmbedFrame {
  url: string
  title: string
  width: number
  height: number
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  text.toWellFormed().replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

/**
 * The HTML that shows an embed on another page. YouTube's player needs the referrer (without it: error 153), and the
 * permissions to start and to fill the screen.
 */
export const embedCode = ({ url, title, width, height }: EmbedFrame): string =>
  `<iframe src="${escaped(url)}" title="${escaped(title)}" width="${width}" height="${height}" style="border:0;max-width:100%" ` +
  'allow="autoplay; encrypted-media; fullscreen; picture-in-picture" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>'
