import { type CSSProperties, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { PlaceholderPicture } from '../../../ui/placeholder-picture.tsx'
import { type PageElement, pictureAddress } from './layout.ts'

/** How an element looks. What was typed is shown as text, never as markup; a button does nothing. */
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
        <Picture address={pictureAddress(content)} radius={styles.borderRadius} />
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

/** The picture, or what stands for one that is missing or does not load. */
function Picture({ address, radius }: { address: string | undefined; radius: number }) {
  const [failed, setFailed] = useState<string | null>(null)
  if (!address || address === failed) {
    return (
      <span className="relative block size-full overflow-hidden bg-raised" style={{ borderRadius: radius }}>
        <PlaceholderPicture />
      </span>
    )
  }
  return (
    <img
      src={address}
      alt=""
      draggable={false}
      referrerPolicy="no-referrer"
      className="size-full object-cover"
      style={{ borderRadius: radius }}
      onError={() => setFailed(address)}
    />
  )
}
