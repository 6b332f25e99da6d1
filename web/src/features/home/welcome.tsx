import { useBrand } from '../../lib/use-config.ts'
import { PlaceholderPicture } from '../../ui/placeholder-picture.tsx'
import { HeroShade } from './hero-frame.tsx'

/** In the place of the highlights when there are none: who we are. */
export function Welcome() {
  const { name, tagline } = useBrand()
  return (
    <section aria-label="Welcome" className="stage relative isolate h-80 overflow-hidden bg-black">
      <PlaceholderPicture className="absolute inset-0" />
      <HeroShade />
      <div className="relative mx-auto flex size-full max-w-[110rem] flex-col justify-end gap-2 px-4 pb-8 sm:px-8">
        <p className="text-4xl font-bold tracking-tight">{name}</p>
        <p className="text-lg text-muted">{tagline}</p>
      </div>
    </section>
  )
}
