import { type CSSProperties, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { PlaceholderPicture } from '../../../ui/placeholder-picture.tsx'
import { imageUrl, type PageElement } from './layout.ts'

/** Renders an element. Content is shown as text, never as markup; a button does nothing. */
export function ElementView({ element }: { element: PageElement }) {
  const { type, content, styles } = element
  const look: CSSProperties = {
    fontSize: styles.fontSize,
    fontWeight: Number(styles.fontWeight),
    lineHeight: 1.3,
    color: styles.color,
    backgroundColor: styles.backgroundColor,
    borderRadius: styles.borderRadius,
    padding: styles.padding,
  }
  if (type === 'image') {
    return (
      <span className="block size-full overflow-hidden" style={look}>
        <ElementImage url={imageUrl(content)} radius={styles.borderRadius} />
      </span>
    )
  }
  return (
    <span
      className={classNames(
        'size-full overflow-hidden wrap-anywhere whitespace-pre-wrap',
        type === 'button' ? 'grid place-items-center text-center' : 'block text-left',
      )}
      style={look}
    >
      {content}
    </span>
  )
}

/** The image, or a placeholder if it is missing or fails to load. */
function ElementImage({ url, radius }: { url: string | undefined; radius: number }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (!url || url === failedUrl) {
    return (
      <span className="relative block size-full overflow-hidden bg-raised" style={{ borderRadius: radius }}>
        <PlaceholderPicture />
      </span>
    )
  }
  return (
    <img
      src={url}
      alt=""
      draggable={false}
      referrerPolicy="no-referrer"
      className="size-full object-cover"
      style={{ borderRadius: radius }}
      onError={() => setFailedUrl(url)}
    />
  )
}
