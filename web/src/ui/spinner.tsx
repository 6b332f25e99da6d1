import { classNames } from './class-names.ts'

/** A spinner with a text, announced politely. */
export function Spinner({ text, className }: { text: string; className?: string }) {
  return (
    <div role="status" className={classNames('flex items-center justify-center gap-3', className)}>
      <span
        aria-hidden="true"
        className="size-6 animate-turn rounded-full border-2 border-current border-t-transparent motion-reduce:animate-breathe"
      />
      <span>{text}</span>
    </div>
  )
}
