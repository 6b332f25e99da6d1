import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone's top folder. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '')

/** Where packages are unpacked when we may not install them. */
export const unpackedRoot = join(repositoryRoot, '.local/packages')

/** Node's compile cache: a program that was compiled once starts with about half the processor time. */
export const compileCacheRoot = join(repositoryRoot, '.local/compile-cache')

/** The folder of the services' bundled programs. A program has the path of its source, with `.js` for `.ts`. */
export const bundleRoot = join(repositoryRoot, '.local/bundle')
