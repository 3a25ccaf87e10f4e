import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

/** Libraries that change rarely get chunks of their own, so that a release does not expire them in the browser's cache. */
const libraryChunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'tanstack',
    test: /node_modules\/@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store)\//,
  },
]

export default defineConfig({
  plugins: [react()],
  server: { port: 5173, proxy: { '/api': API } },
  preview: { proxy: { '/api': API } },
  build: {
    target: 'es2023',
    // The first browsers with light-dark(): what it would be lowered to does not follow our own switch.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: true,
    rolldownOptions: { output: { codeSplitting: { groups: libraryChunks } } },
  },
})
