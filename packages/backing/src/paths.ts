import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '')

/** Folder of packages that are unpacked instead of installed. */
export const unpackedRoot = join(repositoryRoot, '.local/packages')

/** Node's compile cache: a cached program starts in about half the processor time. */
export const compileCacheRoot = join(repositoryRoot, '.local/compile-cache')

/** The folder of the services' bundled programs. A program has the path of its source, with `.js` for `.ts`. */
export const bundleRoot = join(repositoryRoot, '.local/bundle')
