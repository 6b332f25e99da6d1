import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './scripts/precompress.ts'
import { preloads } from './scripts/preloads.ts'
import { sonnerStyles } from './scripts/sonner-styles.ts'

/** Where `vite dev` finds a running station; the built app is served by the gateway itself. */
const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), tailwindcss(), sonnerStyles(), preloads(), precompress()],
  build: {
    target: 'es2022',
    manifest: true,
    // Every browser that knows es2022 knows it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Schemas are for the services: the app takes types and constants from the contracts, and no typebox.
      output: {
        codeSplitting: {
          groups: [
            // What most pages share is one file: thirty small ones cost thirty requests, five round trips.
            {
              name: 'common',
              test: /\/(src\/(lib|ui\/(?!.*dialog))|packages\/(contracts|playhead)\/src)\//,
              minShareCount: 6,
            },
          ],
        },
      },
      treeshake: { manualPureFunctions: ['Type', 'Page', 'Nullable'] },
    },
  },
  server: {
    proxy: {
      '/api': gateway,
      '/auth/v1': gateway,
      '/realtime': { target: gateway, ws: true },
    },
  },
})
