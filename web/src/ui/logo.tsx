import { useState } from 'react'

/** The default logo with the station's short name, or the station's own logo image. */
export function Logo(props: { name: string; imageUrl?: string | null; isLarge?: boolean }) {
  const { name, imageUrl, isLarge = false } = props
  const [brokenUrl, setBrokenUrl] = useState<string>()
  if (imageUrl && imageUrl !== brokenUrl) {
    return (
      <img
        src={imageUrl}
        alt={name}
        onError={() => setBrokenUrl(imageUrl)}
        className={
          isLarge ? 'h-12 max-w-64 object-contain' : 'h-8 max-w-24 object-contain object-left sm:max-w-44'
        }
      />
    )
  }
  return (
    <span className="flex items-center gap-2.5">
      <LogoMark className={isLarge ? 'size-12' : 'size-8'} />
      <span
        className={
          isLarge ? 'text-2xl font-bold tracking-tight' : 'sr-only font-bold tracking-tight sm:not-sr-only'
        }
      >
        {name}
      </span>
    </span>
  )
}

/** The default logo without a name, in the theme's colours. */
export function LogoMark({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 64 64" className={className} fill="none" aria-hidden="true">
      <path d="M55 32a23 23 0 1 1-8-17.4" stroke="var(--theme-link)" strokeWidth="6" strokeLinecap="round" />
      <path
        d="M17 35c5-6.5 10-6.5 15 0s10 6.5 15 0"
        stroke="var(--theme-accent)"
        strokeWidth="5.5"
        strokeLinecap="round"
      />
    </svg>
  )
}
