import type { ThemeBody } from '@looptide/contracts/http/admin'
import { type CSSProperties, useEffect } from 'react'
import { declareFont, fontFilesOf } from '../../../lib/theme/fonts.ts'
import { themeVariables } from '../../../lib/theme/theme-variables.ts'

/** Sample of the app's header and hero in a theme, independent of the page's own theme. */
export function ThemeSample({ theme }: { theme: ThemeBody }) {
  const { fontFamily } = theme
  useEffect(() => {
    void fontFilesOf(fontFamily).then((files) => declareFont(fontFamily, files))
  }, [fontFamily])
  const look = { ...themeVariables(theme), fontSize: `${theme.fontSize}px` } as CSSProperties
  return (
    <section aria-label="Sample">
      <div style={look} className="overflow-hidden rounded-lg border border-line bg-deep font-sans text-text">
        <div className="flex items-center gap-[0.75em] border-b border-line bg-panel p-[0.875em]">
          {theme.logoUrl ? (
            <img src={theme.logoUrl} alt="" className="h-[2em] max-w-[8em] object-contain" />
          ) : (
            <span className="size-[1.5em] rounded-full border-[0.25em] border-link" />
          )}
          <span className="rounded-full bg-live px-[0.625em] text-[0.75em] font-bold text-on-live">LIVE</span>
          <span className="ml-auto text-[0.875em] text-link">TV Guide</span>
        </div>
        <div className="relative isolate bg-canvas p-[1.25em]">
          <div className="absolute inset-0 -z-10 bg-(image:--theme-hero-background) bg-cover bg-center opacity-25" />
          <p className="text-[1.6em] leading-tight font-bold">On now</p>
          <p className="text-muted">The same second for everyone.</p>
          <div className="mt-[1em] flex flex-wrap gap-[0.625em] text-[0.875em] font-semibold">
            <span className="rounded-md bg-primary px-[1em] py-[0.5em] text-on-primary">Play Now</span>
            <span className="rounded-md bg-raised px-[1em] py-[0.5em]">More Info</span>
            <span className="rounded-full bg-accent px-[0.875em] py-[0.5em] text-on-accent">HD</span>
            <span className="rounded-full bg-secondary px-[0.875em] py-[0.5em] text-on-secondary">Genre</span>
          </div>
        </div>
      </div>
    </section>
  )
}
