import { classNames } from './class-names.ts'

/** The placeholder for a missing picture: waves in the theme's colours. */
export function PlaceholderPicture({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      className={classNames('block size-full', className)}
      aria-hidden="true"
    >
      <rect width="320" height="180" fill="var(--theme-raised)" />
      <circle cx="160" cy="96" r="52" fill="var(--theme-link)" opacity="0.14" />
      <path
        d="M0 112c27-22 53-22 80 0s53 22 80 0 53-22 80 0 53 22 80 0v68H0z"
        fill="var(--theme-primary)"
        opacity="0.28"
      />
      <path
        d="M0 132c40-20 67-16 107 0s67 16 106 0 67-16 107 0v48H0z"
        fill="var(--theme-primary)"
        opacity="0.32"
      />
      <path
        d="M0 156c36-12 71-12 107 0s71 12 106 0 71-12 107 0v24H0z"
        fill="var(--theme-accent)"
        opacity="0.22"
      />
    </svg>
  )
}
