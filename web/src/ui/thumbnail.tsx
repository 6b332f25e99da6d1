import { startTransition, useState } from 'react'
import { classNames } from './class-names.ts'
import { PlaceholderPicture } from './placeholder-picture.tsx'

/** A 16:9 picture with reserved space, and a placeholder if it is missing or fails to load. */
export function Thumbnail(props: { url: string | null; className?: string; isEager?: boolean }) {
  const { url, className, isEager = false } = props
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return (
    <span className={classNames('relative block aspect-video overflow-hidden bg-raised', className)}>
      {url && url !== failedUrl ? (
        <img
          key={url}
          src={url}
          alt=""
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          width={320}
          height={180}
          // Invisible until loaded: the browser would show its broken-image icon before the placeholder.
          className="size-full object-cover opacity-0 data-loaded:opacity-100"
          onLoad={({ currentTarget }) => currentTarget.setAttribute('data-loaded', '')}
          // Without access to YouTube dozens fail at once: a transition renders their placeholders together.
          onError={() => startTransition(() => setFailedUrl(url))}
        />
      ) : (
        <PlaceholderPicture />
      )}
    </span>
  )
}
