import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { diagrams } from './mermaid/plugin.ts'

export default defineConfig({
  plugins: [vue(), tailwindcss(), diagrams()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
})
