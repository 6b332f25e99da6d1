import { useState } from 'react'
import { classNames } from './class-names.ts'

const COLOURS = [
  'bg-primary text-on-primary',
  'bg-secondary text-on-secondary',
  'bg-accent text-on-accent',
] as const

/** The classes of a colour derived from the name. */
function colourOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return COLOURS[sum % COLOURS.length] ?? COLOURS[0]
}

/**
 * A picture that stands for a name or, if there is none or it fails to load, letters of the name on a theme colour.
 * Decorative: the name is shown next to it.
 */
export function NamePicture(props: {
  name: string
  letters: string
  url: string | null | undefined
  /** Size and shape. */
  className: string
  pictureClassName: string
}) {
  const { name, letters, url, pictureClassName } = props
  const [failedUrl, setFailedUrl] = useState<string>()
  const frame = classNames('shrink-0 overflow-hidden', props.className)
  if (url && url !== failedUrl) {
    return (
      <img
        src={url}
        alt=""
        width={128}
        height={128}
        decoding="async"
        className={classNames(frame, pictureClassName)}
        onError={() => setFailedUrl(url)}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(
        frame,
        'grid place-items-center leading-none font-bold tracking-wide uppercase before:content-[attr(data-letters)]',
        colourOf(name),
      )}
      // Not a text: it would be found, selected and copied before the name.
      data-letters={letters}
    />
  )
}
