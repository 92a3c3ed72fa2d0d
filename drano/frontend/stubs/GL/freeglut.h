/* Stand-in for the free OpenGL utility toolkit. */
#ifndef DRANO_STUB_FREEGLUT_H
#define DRANO_STUB_FREEGLUT_H
#include <GL/glut.h>
#endif
