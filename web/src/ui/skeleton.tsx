import { classNames } from './class-names.ts'

/** A place held for what is still on its way, in its shape. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-breathe rounded-md bg-raised', className)} />
}
