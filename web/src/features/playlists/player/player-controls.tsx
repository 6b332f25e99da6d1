import { IconButton } from '../../../ui/button.tsx'
import { canSkip } from './queue/queue.ts'
import type { PlayerState } from './use-player.ts'

const LOOP_NAMES = { off: 'Loop: off', single: 'Loop: single', playlist: 'Loop: playlist' } as const
const PRESSED = 'aria-pressed:text-accent aria-pressed:bg-raised'

/** The player's buttons: shuffle, previous, play or pause, next, loop. */
export function PlayerControls({ player }: { player: PlayerState }) {
  const { queue, isPlaying } = player
  const isAlone = !canSkip(queue)
  return (
    <fieldset aria-label="Playback" className="flex items-center justify-center gap-2 sm:justify-start">
      <IconButton
        icon="shuffle"
        label="Shuffle"
        aria-pressed={queue.shuffle}
        className={PRESSED}
        onClick={player.toggleShuffle}
      />
      <IconButton icon="previous" label="Previous" disabled={isAlone} onClick={player.previous} />
      <IconButton
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Pause' : 'Play'}
        tone="primary"
        className="size-14 rounded-full"
        onClick={() => player.setPlaying(!isPlaying)}
      />
      <IconButton icon="next" label="Next" disabled={isAlone} onClick={player.next} />
      <span className="relative">
        <IconButton
          icon="loop"
          label={LOOP_NAMES[queue.loop]}
          aria-pressed={queue.loop !== 'off'}
          className={PRESSED}
          onClick={player.cycleLoop}
        />
        {queue.loop === 'single' && (
          <span className="pointer-events-none absolute top-1 right-1 grid size-4 place-items-center rounded-full bg-accent text-xs font-bold text-on-accent">
            1
          </span>
        )}
      </span>
    </fieldset>
  )
}
