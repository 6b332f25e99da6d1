import type { ReactNode } from 'react'
import { LogoMark } from './logo.tsx'
import { Thumbnail } from './thumbnail.tsx'

// The cards between two videos. They fill their parent; all sizes follow its size, so that a card is readable on a
// phone and from across the room.

export interface CardVideo {
  id: string
  title: string
  artistName: string
  thumbnailUrl: string | null
}

/** The station's logo and name. */
export function StationCard({ name, logoUrl }: { name: string; logoUrl: string | null }) {
  return (
    <Frame>
      <div className="grid justify-items-center gap-[4cqmin] text-center">
        {logoUrl ? (
          <img src={logoUrl} alt="" className="max-h-[34cqh] max-w-[60cqw] object-contain" />
        ) : (
          <LogoMark className="size-[30cqmin]" />
        )}
        <p className="line-clamp-2 text-[clamp(1.5rem,10cqmin,7rem)] leading-tight font-bold tracking-tight text-balance">
          {name}
        </p>
      </div>
    </Frame>
  )
}

/** One to three videos under a heading, such as what comes up next. The first is the largest. */
export function VideosCard({ heading, videos }: { heading: string; videos: readonly CardVideo[] }) {
  const [first, ...others] = videos
  return (
    <Frame>
      <div className="grid w-[86cqw] gap-[4cqmin]">
        <Heading text={heading} />
        {first && (
          <div className="flex items-center gap-[4cqw]">
            <Thumbnail
              url={first.thumbnailUrl}
              isEager
              className="w-[min(36cqw,64cqh)] shrink-0 rounded-md shadow-lift"
            />
            <div className="min-w-0">
              <p className="line-clamp-2 text-[clamp(1.125rem,7cqmin,5rem)] leading-tight font-bold tracking-tight">
                {first.title}
              </p>
              <p className="mt-[1cqmin] truncate text-[clamp(0.9375rem,4.6cqmin,3rem)] text-muted">
                {first.artistName}
              </p>
            </div>
          </div>
        )}
        {others.length > 0 && (
          <ol className="hidden grid-cols-2 gap-[4cqw] border-t border-line pt-[4cqmin] [@container(min-height:20rem)]:grid">
            {others.map((video) => (
              <li key={video.id} className="flex min-w-0 items-center gap-[2cqw]">
                <Thumbnail
                  url={video.thumbnailUrl}
                  isEager
                  className="w-[min(14cqw,24cqh)] shrink-0 rounded-sm"
                />
                <div className="min-w-0 leading-snug">
                  <p className="truncate text-[clamp(0.875rem,3.4cqmin,2.25rem)] font-medium">
                    {video.title}
                  </p>
                  <p className="truncate text-[clamp(0.8125rem,3cqmin,2rem)] text-muted">
                    {video.artistName}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Frame>
  )
}

/** The seconds left until `name` starts. Screen readers do not announce the seconds. */
export function CountdownCard(props: { heading: string; name: string; secondsLeft: number }) {
  return (
    <Frame>
      <div className="grid w-[86cqw] justify-items-center gap-[2cqmin] text-center">
        <p className="line-clamp-2 text-[clamp(1.125rem,8cqmin,5.5rem)] leading-tight font-bold tracking-tight text-balance">
          {props.name}
        </p>
        <Heading text={props.heading} />
        <p
          role="timer"
          aria-live="off"
          className="text-[clamp(3.5rem,32cqmin,22rem)] leading-none font-bold tabular-nums"
        >
          {props.secondsLeft}
        </p>
      </div>
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 overflow-hidden bg-deep text-text [container-type:size]">
      <div className="absolute inset-0 bg-[radial-gradient(90cqw_80cqh_at_10%_0%,color-mix(in_oklab,var(--theme-primary)_24%,transparent),transparent_70%),radial-gradient(70cqw_60cqh_at_100%_100%,color-mix(in_oklab,var(--theme-accent)_14%,transparent),transparent_70%)]" />
      <div className="absolute inset-0 grid animate-fade place-content-center p-[5cqmin]">{children}</div>
    </div>
  )
}

function Heading({ text }: { text: string }) {
  return (
    <p className="flex items-center gap-[2cqmin] text-[clamp(0.875rem,4cqmin,2.75rem)] font-semibold">
      <span aria-hidden="true" className="h-[0.9em] w-[0.25em] shrink-0 rounded-full bg-accent" />
      <span className="min-w-0 truncate">{text}</span>
    </p>
  )
}
