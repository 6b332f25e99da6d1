import { useBrand } from '../../lib/api/use-config.ts'
import { useStationPictures } from '../../lib/station-pictures.ts'
import { PlaceholderPicture } from '../../ui/placeholder-picture.tsx'
import { HERO_CONTENT, HeroShade } from './hero-frame.tsx'

/** Introduces the station where there are no highlights. */
export function Welcome() {
  const { name, tagline } = useBrand()
  const { heroBackgroundUrl } = useStationPictures()
  return (
    <section aria-label="Welcome" className="relative isolate h-80 overflow-hidden bg-floor">
      {heroBackgroundUrl ? (
        <div className="absolute inset-0 bg-(image:--theme-hero-background) bg-cover bg-center" />
      ) : (
        <PlaceholderPicture className="absolute inset-0" />
      )}
      <HeroShade />
      <div className={HERO_CONTENT}>
        <div className="grid gap-1">
          <p className="text-4xl font-bold tracking-tight">{name}</p>
          <p className="text-lg text-muted">{tagline}</p>
        </div>
      </div>
    </section>
  )
}
