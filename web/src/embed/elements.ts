type Attributes = Readonly<Record<string, string>>

/** A new element. Texts become text nodes: nothing that the station sends is read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** A link to the station, which opens beside the page around the embed. */
export const stationLink = (href: string, className: string, ...children: (Node | string)[]) =>
  element('a', { href, target: '_blank', rel: 'noopener', class: className }, ...children)

/** Title and artist, which may be written in another direction than the page. */
export const programmeName = ({ title, artist }: { title: string; artist: string }): (Node | string)[] =>
  artist === '' ? [element('bdi', {}, title)] : [element('bdi', {}, title), ' – ', element('bdi', {}, artist)]
