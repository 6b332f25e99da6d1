import { Skeleton } from '../../ui/skeleton.tsx'

/**
 * The frame of the highlights, as high while they load as afterwards. 28rem hold the picture of the stream
 * with the text and the buttons below it on a phone, and the text and the buttons in a low window (a laptop at 200 %).
 */
export const HERO_FRAME = 'relative isolate overflow-hidden bg-floor hero-height'

/** The text over the picture; dark in every theme. */
export const HERO_CONTENT =
  'dark-surface relative mx-auto flex size-full max-w-[110rem] flex-col justify-end gap-6 px-4 pb-6 sm:px-8 sm:pb-10'

/** Darkens the picture below the text, and fades it into the page. */
export function HeroShade() {
  return <div aria-hidden="true" className="absolute inset-0 hero-shade" />
}

/** The place of the hero carousel while its videos load, in its size. */
export function HeroSkeleton() {
  return (
    <div className={HERO_FRAME}>
      <div className={HERO_CONTENT}>
        <div className="grid gap-3">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-16 w-3/5" />
          <Skeleton className="h-6 w-48" />
        </div>
        <div className="flex gap-3">
          <Skeleton className="h-12 w-32" />
          <Skeleton className="h-12 w-40" />
        </div>
      </div>
    </div>
  )
}
