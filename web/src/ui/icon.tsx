/** Line icons on a 24 × 24 grid in the current colour, hidden from screen readers. */
const PATHS = {
  back: 'M15 5l-7 7 7 7',
  plus: 'M12 5v14M5 12h14',
  up: 'M5 15l7-7 7 7',
  down: 'M5 9l7 7 7-7',
  pause: 'M8 5v14M16 5v14',
  next: 'M6 5v14l9-7zM18 5v14',
  previous: 'M18 5v14l-9-7zM6 5v14',
  shuffle:
    'M3 7h3.5c4.5 0 6 10 10.5 10h4M3 17h3.5c1.6 0 2.8-1.3 3.9-3M13.6 10c1-1.7 2.1-3 3.4-3h4M18 4l3 3-3 3M18 14l3 3-3 3',
  loop: 'M17 2.5l3.5 3.5L17 9.5M3.5 11.5V10a4 4 0 014-4h13M7 21.5L3.5 18 7 14.5M20.5 12.5V14a4 4 0 01-4 4h-13',
  undo: 'M8 4L4 8l4 4M4 8h9.5a5.5 5.5 0 010 11H9',
  redo: 'M16 4l4 4-4 4M20 8h-9.5a5.5 5.5 0 000 11H15',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  edit: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19 4 20zM14 6.5l3.5 3.5',
  remove: 'M5 7h14M10 11v6M14 11v6M7 7l1 13h8l1-13M9.5 7V4h5v3',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  list: 'M4 6h11M4 12h11M4 18h7M18 11v7.5M18 11l3 1.5',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  window: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
  chat: 'M5 5h14a1 1 0 011 1v9a1 1 0 01-1 1h-7l-5 4v-4H5a1 1 0 01-1-1V6a1 1 0 011-1z',
  search: 'M11 4a7 7 0 110 14 7 7 0 010-14zM16.2 16.2L21 21',
  guide: 'M4 6h16M4 12h9M4 18h13M17 11.5l3 2-3 2z',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M4 12l16-7-6 15-3-6z',
  show: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 110 5.6 2.8 2.8 0 010-5.6z',
  hide: 'M4 4l16 16M9.5 5.9A9 9 0 0112 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 01-3 3.7M6.3 7.6A17 17 0 002.5 12S6 18.5 12 18.5a9 9 0 004-.9M10 10.1a2.8 2.8 0 004 3.9',
  sound: 'M4 9.5v5h3.5L13 19V5L7.5 9.5zM16.5 9a4.2 4.2 0 010 6M19 6.5a8 8 0 010 11',
  muted: 'M4 9.5v5h3.5L13 19V5L7.5 9.5zM16.5 9.5l5 5M21.5 9.5l-5 5',
  home: 'M3.5 11.5L12 4l8.5 7.5M6 9.5V20h4.5v-6h3v6H18V9.5',
  library: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  user: 'M12 4a4 4 0 110 8 4 4 0 010-8zM4.5 20c.6-3.8 3.6-6 7.5-6s6.9 2.2 7.5 6',
  sync: 'M3 12h3.5l2-5 3.5 11 3-9 1.8 3H21',
  play: 'M7 4.5v15l12-7.5z',
  ban: 'M12 3.5a8.5 8.5 0 110 17 8.5 8.5 0 010-17zM6 6l12 12',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  clock: 'M12 3.5a8.5 8.5 0 110 17 8.5 8.5 0 010-17zM12 7.5V12l3 2',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  forward: 'M9 5l7 7-7 7',
  again: 'M4 12a8 8 0 108-8c-2.6 0-4.7 1-6.2 2.8M5 3v4h4',
  outside: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
  cast: 'M3 8V5h18v14h-7M3 12a7 7 0 0 1 7 7M3 16a3 3 0 0 1 3 3',
  share: 'M12 15V4M8 7.5L12 4l4 3.5M6 11H4.5v9h15v-9H18',
  facts: 'M12 3.5a8.5 8.5 0 110 17 8.5 8.5 0 010-17zM12 11v5.5M12 7.6v.1',
  keys: 'M3 6.5h18v11H3zM6.5 10h.01M10 10h.01M14 10h.01M17.5 10h.01M8 14h8',
  flag: 'M6 21V4M6 5h11l-2 4 2 4H6',
  heart: 'M12 20S3.5 15 3.5 9A4.5 4.5 0 0112 7a4.5 4.5 0 018.5 2c0 6-8.5 11-8.5 11z',
  tv: 'M4 7h16v11H4zM8.5 3L12 7l3.5-4M9 21h6',
} as const

export type IconName = keyof typeof PATHS

/** An icon of our own set. It is hidden from screen readers: the control beside it has the name. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
