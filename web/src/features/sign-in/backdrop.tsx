import { useStationPictures } from '../../lib/station-pictures.ts'

/**
 * The dark background of the sign-in pages: the station's picture if it has one, two
 * lights in the theme's colours, and the tide of the logo.
 */
export function Backdrop() {
  const { heroBackgroundUrl } = useStationPictures()
  return (
    <div aria-hidden="true" className="absolute inset-0 -z-10 overflow-hidden">
      {heroBackgroundUrl && (
        <>
          <div className="absolute inset-0 bg-(image:--theme-hero-background) bg-cover bg-center" />
          {/* As much of it as leaves the words on it readable. */}
          <div className="absolute inset-0 bg-deep/82" />
        </>
      )}
      <div className="absolute inset-0 bg-[radial-gradient(60rem_36rem_at_12%_-8%,color-mix(in_oklab,var(--theme-primary)_38%,transparent),transparent_70%),radial-gradient(46rem_30rem_at_96%_108%,color-mix(in_oklab,var(--theme-accent)_22%,transparent),transparent_72%)]" />
      <svg
        aria-hidden="true"
        viewBox="0 0 1440 320"
        preserveAspectRatio="none"
        className="absolute inset-x-0 bottom-0 h-[38%] w-full opacity-40"
        fill="none"
        strokeWidth="1.5"
      >
        <g stroke="var(--theme-link)">
          {TIDES.map(({ y, opacity }) => (
            <path
              key={y}
              opacity={opacity}
              vectorEffect="non-scaling-stroke"
              d={`M0 ${y}c120-70 240-70 360 0s240 70 360 0 240-70 360 0 240 70 360 0`}
            />
          ))}
        </g>
      </svg>
    </div>
  )
}

const TIDES = Array.from({ length: 9 }, (_, index) => ({ y: 70 + index * 26, opacity: 0.55 - index * 0.055 }))
