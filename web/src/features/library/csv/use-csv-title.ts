import { useSession } from '../../../lib/session/session.tsx'

/** The name of the dialog that imports the library and, if the role allows it, exports it. */
export const useCsvTitle = (): string =>
  useSession().may('videos:export') ? 'Import / Export CSV' : 'Import CSV'
