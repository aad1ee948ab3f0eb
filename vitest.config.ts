import { defineConfig } from 'vitest/config'

const folders = 'main,preload,renderer,shared,support,integration,faults,evaluation'

export default defineConfig({
  test: {
    // The database is a native module, and some tests end processes: one process to a file.
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: [`test/{${folders}}/**/*.test.{ts,tsx}`], testTimeout: 20_000 },
      },
      {
        extends: true,
        test: { name: 'long', include: ['test/long/**/*.test.ts'], testTimeout: 600_000, fileParallelism: false },
      },
    ],
  },
})
