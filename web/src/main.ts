import { createApp } from 'vue'
import { takeToken } from './api/client'
import App from './App.vue'
import './state/look'
import './style.css'

takeToken()
createApp(App).mount('#app')
