import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { resolve } from 'node:path'

const here = import.meta.dirname

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      externalizeDeps: {
        // Optional packages are looked for at run time, like the others.
        include: ['onnxruntime-web', '@huggingface/tokenizers'],
        // These come in up to a hundred files each; finding and reading every one is a quarter of loading the console.
        exclude: [
          '@hpke/core',
          '@scure/base',
          '@trpc/server',
          'canonicalize',
          'conf',
          'fastify-type-provider-zod',
          'jose',
          'zod',
        ],
      },
      sourcemap: true,
      rollupOptions: {
        input: {
          index: resolve(here, 'main/index.ts'),
          web: resolve(here, 'main/web.ts'),
          station: resolve(here, 'main/station.ts'),
          embedder: resolve(here, 'main/platform/embedder/worker.ts'),
          adapter: resolve(here, 'main/platform/adapters/worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload can be neither an ES module nor import a package at run time.
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve(here, 'preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    // Assets must resolve from whatever the host calls its root: `app://console/` or `http://127.0.0.1:PORT/`.
    base: '/',
    publicDir: resolve(here, 'resources/icons'),
    plugins: [react(), tailwindcss()],
    build: {
      outDir: resolve(here, 'out/renderer'),
      emptyOutDir: true,
      minify: true,
      // The content security policy allows no data: scripts, and fonts and sounds are files.
      assetsInlineLimit: 0,
      // The page comes from this machine: one file of this size loads in milliseconds.
      chunkSizeWarningLimit: 2500,
      rollupOptions: { input: resolve(here, 'renderer/index.html') },
    },
  },
})
