import { Button, type ButtonTone } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLikeToggle } from './use-like-toggle.ts'

/** A heart that likes a video, with the number of likes. Nothing for a video that cannot be liked. */
export function LikeButton(props: {
  video: { id: string; likeCount: number }
  /** The heart and the number alone. */
  isCompact?: boolean
  tone?: ButtonTone
}) {
  const { video, isCompact = false, tone = 'quiet' } = props
  const { liked, likeCount, isPublic, toggle } = useLikeToggle(video)
  if (isPublic === false) return null
  return (
    <Button
      tone={tone}
      title={isCompact ? 'Like' : undefined}
      aria-pressed={liked}
      className={isCompact ? 'px-3' : undefined}
      onClick={toggle}
    >
      <Icon name="heart" className={classNames('size-5', liked && 'fill-current text-accent')} />
      <span className={isCompact ? 'sr-only' : undefined}>Like</span>
      {likeCount > 0 && (
        <span className="tabular-nums">
          {' '}
          {likeCount}
          <span className="sr-only"> {likeCount === 1 ? 'like' : 'likes'}</span>
        </span>
      )}
    </Button>
  )
}
