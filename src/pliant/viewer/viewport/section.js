// A part of the panel under a title that folds it away. The browser remembers, for each title, what a person chose.

const KEY = "pliant.section.";

export default {
  props: { title: String, icon: String, open: Boolean },
  template: `
    <details class="section" :data-section="title">
      <summary class="section-title" @click="remember">
        <q-icon :name="icon" class="section-icon" />
        <span>{{ title }}</span>
        <q-icon name="expand_more" class="section-arrow" />
      </summary>
      <div class="section-body"><slot></slot></div>
    </details>`,

  mounted() {
    this.$el.open = { open: true, shut: false }[recall(this.title)] ?? this.open;
  },

  methods: {
    remember() {
      keep(this.title, this.$el.open ? "shut" : "open"); // the click comes before the change
    },
  },
};

// A browser may refuse to keep anything; then sections are as a first visitor finds them.
function recall(title) {
  try {
    return localStorage.getItem(KEY + title);
  } catch {
    return null;
  }
}

function keep(title, state) {
  try {
    localStorage.setItem(KEY + title, state);
  } catch {
    return;
  }
}
