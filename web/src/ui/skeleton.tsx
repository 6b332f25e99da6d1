import { classNames } from './class-names.ts'

/** A placeholder in the shape of content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-breathe rounded-md bg-raised', className)} />
}
