import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups } from './scripts/chunk-groups.ts'
import { assetFileNames, firstStyles } from './scripts/first-styles.ts'
import { precompress } from './scripts/precompress.ts'
import { productionRouter } from './scripts/production-router.ts'
import { separatePage } from './scripts/separate-page.ts'
import { sonnerStyles } from './scripts/sonner-styles.ts'
import { startScript } from './scripts/start-script.ts'
import { tvPage } from './scripts/tv-page.ts'
import { CAST_MANIFEST, EMBED_MANIFEST, preloads } from './scripts/views.ts'

/** The functions of `packages/contracts/src/text-fields.ts` that make a schema. */
const TEXT_FIELDS = ['Line', 'Fragment', 'Paragraph', 'Address', 'Code', 'PasswordText', 'Opaque']

/**
 * The pages use only types and constants of the contracts: schemas are dropped, as pure calls that read properties of each
 * other, and TypeBox with them.
 */
const treeshake = {
  moduleSideEffects: [{ test: /\/node_modules\/typebox\//, sideEffects: false }],
  manualPureFunctions: ['Type', 'Page', 'Nullable', ...TEXT_FIELDS],
  propertyReadSideEffects: false as const,
}

/** The running station that `vite dev` proxies to; the gateway serves the built app. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    productionRouter(),
    sonnerStyles(),
    firstStyles(),
    startScript('src/app/start-script.ts'),
    tvPage({ plugins: [react()], treeshake }),
    separatePage({ page: 'embed.html', manifest: EMBED_MANIFEST, config: { build: { target: 'es2022' } } }),
    // The Chromium of Google Cast devices may be some years old.
    separatePage({ page: 'cast.html', manifest: CAST_MANIFEST, config: { build: { target: 'es2020' } } }),
    preloads(),
    precompress(),
  ],
  // SWR's shim for React 17: React has the function itself.
  resolve: { alias: { 'use-sync-external-store/shim': 'react' } },
  build: {
    target: 'es2022',
    manifest: true,
    // Every browser with ES2022 supports module preload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        assetFileNames,
        codeSplitting: { groups: chunkGroups() },
      },
      treeshake,
    },
  },
  // `sonnerStyles` changes its sources, which dependency pre-bundling would skip.
  optimizeDeps: { exclude: ['sonner'] },
  server: {
    proxy: {
      '/api': gateway,
      '/auth/v1': gateway,
      '/realtime': { target: gateway, ws: true },
    },
  },
})
